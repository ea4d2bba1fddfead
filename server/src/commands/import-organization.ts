import { resolve } from 'node:path'
import type { Command } from './command.ts'

export const importOrganization: Command = {
  name: 'import-organization',
  arguments: ['FILE'],
  sentence: 'Adds an exported organization to this instance, under the ids it had.',
  details: `The instance must be of the same release, and may run meanwhile. Refused where the organization, its code or an email of
its people is here already. All of it or nothing.`,
  run: async ({ env, given, say, note }) => {
    const [{ readPassphrase }, { loadOrganization }] = await Promise.all([
      import('./passphrase.ts'),
      import('./organization/installation.ts'),
    ])
    const path = resolve(env.INIT_CWD ?? '', given.FILE ?? '')
    await loadOrganization({ env, path, passphrase: await readPassphrase(env), say, note })
    return undefined
  },
}
