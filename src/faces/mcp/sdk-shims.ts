/**
 * Replaces a module that the SDK loads for Node, only in the bundle: a JSON Schema validator of 290 KB for forms that
 * users fill in. We never send such forms, and `server.ts` declares that.
 */
export { default as process } from 'node:process';

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('agent-ls has no JSON Schema validator');
  }
}
