import openapiTypes, { astToString } from 'openapi-typescript';
import { buildDocument } from '../../dist/platform/openapi/openapi.js';

/** The front end's API types, from the service's own description: a change of the API breaks the front end's build. */
export async function apiTypes(app) {
  // A copy: the generator writes into what it is given. Sorted: the order of the modules is no part of the API.
  const nodes = await openapiTypes(structuredClone(buildDocument(app)), {
    alphabetize: true,
    silent: true,
  });
  return `// Generated from the OpenAPI description of the service: npm run generate\n\n${astToString(nodes)}`;
}
