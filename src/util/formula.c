/* formula.c: see formula.h. A parser by recursive descent, a function per level. */
#include "util/formula.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

/* Parentheses and signs nest to this depth. A formula may come from a stranger's recording and must not use up the
 * stack. */
enum { MAX_DEPTH = 32 };

struct parser {
	const char *formula, *at;
	formula_lookup *lookup;
	void *user;
	int depth;
	struct error *err;
};

static int parse_sum(struct parser *p, double *out);

static int formula_wrong(struct parser *p, const char *what)
{
	return error_set(p->err, "%s at character %d of \"%s\"", what, (int)(p->at - p->formula) + 1, p->formula);
}

static char next(struct parser *p)
{
	while (*p->at == ' ' || *p->at == '\t')
		p->at++;
	return *p->at;
}

static int parse_number(struct parser *p, double *out)
{
	char *end;

	*out = strtod(p->at, &end);
	if (end == p->at)
		return formula_wrong(p, "no number, name or parenthesis");
	p->at = end;
	return 0;
}

static int parse_name(struct parser *p, double *out)
{
	const char *name = p->at;

	while (isalnum((unsigned char)*p->at) || *p->at == '_' || *p->at == '.')
		p->at++;
	*out = p->lookup(p->user, name, (size_t)(p->at - name));
	return 0;
}

static int parse_inner(struct parser *p, double *out)
{
	p->at++;
	if (parse_sum(p, out) < 0)
		return -1;
	if (next(p) != ')')
		return formula_wrong(p, "no closing parenthesis");
	p->at++;
	return 0;
}

static int parse_factor(struct parser *p, double *out)
{
	char c = next(p);
	int result;

	if (++p->depth > MAX_DEPTH)
		return formula_wrong(p, "nested too deep");
	if (c == '(') {
		result = parse_inner(p, out);
	} else if (c == '-') {
		p->at++;
		result = parse_factor(p, out);
		*out = -*out;
	} else if (isdigit((unsigned char)c) || c == '.') {
		result = parse_number(p, out);
	} else if (isalpha((unsigned char)c) || c == '_') {
		result = parse_name(p, out);
	} else {
		result = formula_wrong(p, "no number, name or parenthesis");
	}
	p->depth--;
	return result;
}

static int parse_product(struct parser *p, double *out)
{
	double right = 0;
	char sign;

	if (parse_factor(p, out) < 0)
		return -1;
	while ((sign = next(p)) == '*' || sign == '/') {
		p->at++;
		if (parse_factor(p, &right) < 0)
			return -1;
		if (sign == '*')
			*out *= right;
		else
			*out = right == 0 ? (double)NAN : *out / right;
	}
	return 0;
}

static int parse_sum(struct parser *p, double *out)
{
	double right = 0;
	char sign;

	if (parse_product(p, out) < 0)
		return -1;
	while ((sign = next(p)) == '+' || sign == '-') {
		p->at++;
		if (parse_product(p, &right) < 0)
			return -1;
		*out += sign == '+' ? right : -right;
	}
	return 0;
}

int formula_evaluate(const char *formula, formula_lookup *lookup, void *user, double *out, struct error *err)
{
	struct parser p = {.formula = formula, .at = formula, .lookup = lookup, .user = user, .err = err};

	*out = 0;
	if (parse_sum(&p, out) < 0)
		return -1;
	return next(&p) == '\0' ? 0 : formula_wrong(&p, "something more than a formula");
}
