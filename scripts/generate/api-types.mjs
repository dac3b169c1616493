import openapiTypes, { astToString } from 'openapi-typescript';
import { buildDocument } from '../../dist/platform/openapi/openapi.js';

/**
 * Generates the front end's API types, so that an incompatible API change breaks the front end's
 * build.
 */
export async function apiTypes(app) {
  // The document is cloned, because the generator modifies its input. It is sorted, so that the
  // order of modules does not matter.
  const nodes = await openapiTypes(structuredClone(buildDocument(app)), {
    alphabetize: true,
    silent: true,
  });
  return `// Generated from the OpenAPI description of the service: npm run generate\n\n${astToString(nodes)}`;
}
