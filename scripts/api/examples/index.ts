/** Examples of the endpoints that people use first, by method and path. */
import { documentExamples } from './documents.ts'
import { eventExamples } from './events.ts'
import type { Example } from './example.ts'
import { knowledgeExamples } from './knowledge.ts'
import { modelExamples } from './models.ts'
import { signInExamples } from './sign-in.ts'

export type { Example } from './example.ts'

export const examples: ReadonlyMap<string, Example> = new Map([
  ...signInExamples,
  ...modelExamples,
  ...eventExamples,
  ...documentExamples,
  ...knowledgeExamples,
])
