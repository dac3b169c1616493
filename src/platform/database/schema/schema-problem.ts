/** Why the schema cannot be brought up to date, in a sentence for the person who runs it. */
export class SchemaProblem extends Error {}
