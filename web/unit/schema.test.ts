// The types of the server's answers, made from its description: `npm run types` writes src/lib/schema.ts. The description is the
// server's: a test of crate `server` compares openapi.json, and rewrites it with HALFMOVE_BLESS=1.
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { expect, test } from 'vitest';
import text from '../openapi.json?raw';

const HEAD = "// The server's answers, made from openapi.json by `npm run types`.\n\n";

test('the types of answers are those of the description', async () => {
  const description = JSON.parse(text) as OpenAPI3;
  const types = await openapiTS({ ...description, paths: {} }, { rootTypes: true, rootTypesNoSchemaPrefix: true });
  await expect(HEAD + astToString(types)).toMatchFileSnapshot('../src/lib/schema.ts');
});
