/** Which documented behaviour applies. */
import { choice, type ValuesOf } from '#kernel/config/variable.ts'

export const completionsVariables = {
  'Where it runs': {
    SVC_BUILD: choice(['release', 'pre-release'], {
      fallback: 'release',
      sentence: 'Which of the two documented behaviours of outlet filters applies.',
    }),
  },
} as const
export type CompletionsConfig = ValuesOf<typeof completionsVariables>
