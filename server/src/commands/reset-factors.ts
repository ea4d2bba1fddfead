import type { Command } from './command.ts'

export const resetFactors: Command = {
  name: 'reset-factors',
  arguments: ['EMAIL'],
  sentence: 'Removes the second factors of a platform admin or a person who has lost them all.',
  details: `They are signed out everywhere and sign in with their password alone. It works beside a
running server. Where both a platform admin and a person have the address, both lose theirs.`,
  run: async ({ env, given, say }) => {
    const { resetFactorsOf } = await import('./reset-factors/reset-factors.ts')
    await resetFactorsOf({ env, email: given.EMAIL ?? '', say })
    return undefined
  },
}
