import { resolve } from 'node:path'
import type { Command } from './command.ts'

export const verifyBackup: Command = {
  name: 'verify-backup',
  arguments: ['FILE'],
  sentence: 'Restores a backup into a temporary database, and compares every table and file.',
  details: `Needs as much room in SVC_DATA_DIR as the restored database takes; nothing of it is left. The installation isn't touched
and may run meanwhile.`,
  run: async ({ env, given, say, note }) => {
    const [{ readPassphrase }, { verifyFile }] = await Promise.all([
      import('./passphrase.ts'),
      import('./backup/installation.ts'),
    ])
    const path = resolve(env.INIT_CWD ?? '', given.FILE ?? '')
    await verifyFile({ env, path, passphrase: await readPassphrase(env), say, note })
    return undefined
  },
}
