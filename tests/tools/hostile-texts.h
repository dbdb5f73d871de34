/*
 * hostile-texts.h: texts that a stranger may have put into a file. '~' stands for a number that makes each use of one
 * unique: a file `pwned7` tells which text got through, and no two names become the same.
 */
#ifndef DBPROF_TOOLS_HOSTILE_TEXTS_H
#define DBPROF_TOOLS_HOSTILE_TEXTS_H

#include <stddef.h>

struct hostile_text {
	const char *name;
	const char *text;
	size_t size;
	const char *read; /* what a reader must make of it; NULL: the very text */
};

#define HOSTILE(name, text)                                                                                            \
	{                                                                                                              \
		name, text, sizeof(text) - 1, NULL                                                                     \
	}
#define HOSTILE_READ(name, text, read)                                                                                 \
	{                                                                                                              \
		name, text, sizeof(text) - 1, read                                                                     \
	}
#define BAD_BYTE "\xEF\xBF\xBD"

/* The name of the one that is a million letters long. */
#define HOSTILE_LONG "a megabyte"

static const struct hostile_text hostile_texts[] = {
	HOSTILE("script", "<script>alert('pwned~')</script>"),
	HOSTILE("end of script", "</script><img src=x onerror=\"alert('pwned~')\">"),
	HOSTILE("end of style", "</style></title><script>alert('pwned~')</script>"),
	HOSTILE("end of comment", "]]>--><b>~</b><!--<![CDATA["),
	HOSTILE("end of svg", "</text></g></svg><svg onload=\"alert('pwned~')\"><text>"),
	HOSTILE("double quotes", "\" onmouseover=\"alert('pwned~')\" x=\""),
	HOSTILE("single quotes", "' onfocus='alert(~)' autofocus tabindex='1"),
	HOSTILE("attribute without quotes", "x~ onload=alert(1) style=color:red"),
	HOSTILE("entities", "&lt;b&gt;&amp;&nbsp;&#60;script&#62;&bogus;&#0;&#x1;&~"),
	HOSTILE("javascript link", "javascript:alert('pwned~')"),
	HOSTILE("data link", "data:text/html,<script>alert(~)</script>"),
	HOSTILE("foreign link", "//pwned.invalid/~"),
	HOSTILE("style", ";}*{display:none}/*~ url(http://pwned.invalid/)"),
	HOSTILE("template", "{{#recordings}}{{{data}}}{{> ../../etc/passwd}}~{{/recordings}}{{{"),
	HOSTILE("markdown", "**~**[x](javascript:alert(1))![x](//pwned.invalid/)"),
	HOSTILE("backticks", "`touch pwned~`"),
	HOSTILE("shell", "$(touch pwned~);touch pwned~|touch pwned~&touch pwned~ #"),
	HOSTILE("gnuplot", "\";system(\"touch pwned~\");#"),
	HOSTILE("gnuplot, single quotes", "'.system('touch pwned~').'"),
	HOSTILE("gnuplot, backslash", "\\\";system(\"touch pwned~\");#\\"),
	HOSTILE("gnuplot, octal", "\\140touch pwned~\\140\\042\\012!touch pwned~\\\\"),
	HOSTILE("gnuplot, macro", "@ARG1 ~@{}^_{/Symbol a}&{x}{/=40 y}"),
	HOSTILE("gnuplot, separators", "a~ # b\tc,d;e:f NaN \" g"),
	HOSTILE("formats", "%s%n%d%.99999f%c%%%h%~%"),
	HOSTILE("line breaks", "a~\nsystem('touch pwned~')\n\n!touch pwned~\n"),
	HOSTILE("carriage return", "\rplot~\r\n\r"),
	HOSTILE_READ("NUL", "before~\0<script>alert('pwned~')</script>", "before~"),
	HOSTILE("control characters", "\x01\x02\x03\x04\x05\x06\x07\x08\x0b\x0c\x0e\x0f\x10\x1a\x1f\x7f~"),
	HOSTILE("terminal", "\x1b]0;pwned~\x07\x1b[2J\x1b[31m\x1b[8m\xc2\x9b"
			    "31m"),
	HOSTILE_READ("bad UTF-8", "\xff\xfe\x80~\xc0", BAD_BYTE BAD_BYTE BAD_BYTE "~" BAD_BYTE),
	HOSTILE_READ("overlong UTF-8", "\xc0\xbcscript\xc0\xbe~\xe0\x80\xbc",
		BAD_BYTE BAD_BYTE "script" BAD_BYTE BAD_BYTE "~" BAD_BYTE BAD_BYTE BAD_BYTE),
	HOSTILE_READ(
		"surrogates", "\xed\xa0\x80~\xed\xbf\xbf", BAD_BYTE BAD_BYTE BAD_BYTE "~" BAD_BYTE BAD_BYTE BAD_BYTE),
	HOSTILE("no characters", "\xef\xbf\xbe~\xef\xbf\xbf\xf4\x8f\xbf\xbf"),
	HOSTILE("bidi", "\xe2\x80\xae~gpj\xe2\x81\xa6\xe2\x80\xad\xe2\x80\x8f\xd8\x9c"),
	HOSTILE("line separators", "\xe2\x80\xa8~\xe2\x80\xa9\xc2\x85"),
	HOSTILE(HOSTILE_LONG, "~<"),
	HOSTILE("formula", "=cmd|'/C calc'!A~"),
	HOSTILE("formula, plus", "+~+1"),
	HOSTILE("formula, minus", "-~"),
	HOSTILE("formula, at", "@SUM(~)"),
	HOSTILE("formula, tab", "\t=~"),
	HOSTILE("end of a cell", "a\",~\r\n\"c,"),
	HOSTILE("path", "../../../../etc/passwd~"),
	HOSTILE("path from the root", "/etc/pwned~"),
	HOSTILE("option", "--output=pwned~"),
	HOSTILE("JSON", "\"},{\"pwned\":~}]}\\\",\\u0000\\"),
	HOSTILE("SQL", "x\" FROM y; '); DROP TABLE StringIds; --~"),
	HOSTILE("blanks", "   ~   "),
};

enum { HOSTILE_TEXTS = sizeof hostile_texts / sizeof *hostile_texts };

#endif
