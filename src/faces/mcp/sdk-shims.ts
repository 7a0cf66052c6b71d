/** Replaces the SDK's JSON Schema validator (290 KB) in the bundle. It is for forms, which `server.ts` never sends. */
export { default as process } from 'node:process';

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('agent-ls has no JSON Schema validator');
  }
}
