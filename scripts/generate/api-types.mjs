import openapiTypes, { astToString } from 'openapi-typescript';
import { buildDocument } from '../../dist/platform/openapi/openapi.js';

/** The front end's API types, generated so that an incompatible change of the API breaks the front end's build. */
export async function apiTypes(app) {
  // Cloned, because the generator modifies its input; sorted, because the order of modules does not matter.
  const nodes = await openapiTypes(structuredClone(buildDocument(app)), {
    alphabetize: true,
    silent: true,
  });
  return `// Generated from the OpenAPI description of the service: npm run generate\n\n${astToString(nodes)}`;
}
