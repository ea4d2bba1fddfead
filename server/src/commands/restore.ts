import { resolve } from 'node:path'
import type { Command } from './command.ts'

export const restore: Command = {
  name: 'restore',
  arguments: ['FILE'],
  sentence: 'Restores a backup into a new data folder, or an empty database.',
  details: `Where SVC_DATA_DIR has no database yet, or DATABASE_URL names an empty one. Everything is checked before anything is
changed. A restore that fails leaves the place empty. Then start the server as usual.`,
  run: async ({ env, given, say, note }) => {
    const [{ readPassphrase }, { restoreInstallation }] = await Promise.all([
      import('./passphrase.ts'),
      import('./backup/installation.ts'),
    ])
    const path = resolve(env.INIT_CWD ?? '', given.FILE ?? '')
    await restoreInstallation({ env, path, passphrase: await readPassphrase(env), say, note })
    return undefined
  },
}
