/** Every environment variable, in one table. docs/CONFIGURATION.md is generated from it. */
import { filesAndSigning } from './sections/files-and-signing.ts'
import { modelsAndEvents } from './sections/models-and-events.ts'
import { running } from './sections/running.ts'
import { signingIn } from './sections/signing-in.ts'
import { speech } from './sections/speech.ts'

export { reservedAuthorizeParams } from './sections/signing-in.ts'

export const sections = {
  ...running,
  ...signingIn,
  ...modelsAndEvents,
  ...speech,
  ...filesAndSigning,
} as const
