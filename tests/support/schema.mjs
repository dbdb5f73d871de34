// schema.mjs SCHEMA FILE...: holds JSON files against a JSON Schema (2020-12). Prints what does not fit; status 1 if anything does not.
// A schema whose name is in the file's own `schema` must be that one.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';

const [, , schemaFile, ...files] = process.argv;
const json = (file) => JSON.parse(readFileSync(file, 'utf8'));
const ajv = new Ajv2020.default({ allErrors: true, allowUnionTypes: true, strict: true, strictTypes: false, strictTuple: false });
const valid = ajv.compile(json(schemaFile));
let faults = 0;

const tell = (file, text) => {
	console.log(`${basename(file)}: ${text}`);
	faults++;
};
for (const file of files) {
	const tree = json(file);
	if (tree.schema?.name && tree.schema.name !== basename(schemaFile))
		tell(file, `its schema is ${tree.schema.name}`);
	if (valid(tree))
		continue;
	const seen = new Set();
	for (const error of valid.errors) {
		// Elements of one array break a rule in the same way: one line for all of them.
		const where = error.instancePath.replace(/\/\d+(?=\/|$)/g, '/*');
		const text = `${where} ${error.message}${error.params.additionalProperty ? `: ${error.params.additionalProperty}` : ''}`;
		if (!seen.has(text))
			tell(file, text);
		seen.add(text);
	}
}
process.exit(faults ? 1 : 0);
