/**
 * Takes the place of what the SDK loads for Node, in the bundle alone: a JSON Schema validator of 290 KB, which would
 * check what people type into forms. We never ask for any, and `server.ts` says so.
 */
export { default as process } from 'node:process';

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('agent-ls has no JSON Schema validator');
  }
}
