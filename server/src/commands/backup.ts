import { resolve } from 'node:path'
import type { Command } from './command.ts'

export const backup: Command = {
  name: 'backup',
  arguments: ['FILE'],
  sentence: 'Saves the database, its files and the secrets in one file, also while the server runs.',
  details: `All of it is of one moment. The secrets are sealed with CHANCERY_PASSPHRASE (or CHANCERY_PASSPHRASE_FILE); without
it the command asks. The file is written as FILE.part and renamed when it is whole, so a failure leaves what FILE was.`,
  run: async ({ env, given, say, note }) => {
    const [{ choosePassphrase }, { saveInstallation }] = await Promise.all([
      import('./passphrase.ts'),
      import('./backup/installation.ts'),
    ])
    const path = resolve(env.INIT_CWD ?? '', given.FILE ?? '')
    await saveInstallation({ env, path, passphrase: await choosePassphrase(env), say, note })
    return undefined
  },
}
