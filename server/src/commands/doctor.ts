import type { Command } from './command.ts'

export const doctor: Command = {
  name: 'doctor',
  arguments: [],
  sentence: 'Checks folder, disk, database, pooler, files, Redis, mail, DNS, address and proxy, and says what to do.',
  details:
    'May run beside the server; it writes one small file and deletes it. Exits with 1 if something failed; a warning is no failure.',
  run: async ({ env, say }) => {
    const [{ readInstallation }, { examine }] = await Promise.all([
      import('./installation.ts'),
      import('./doctor/examine.ts'),
    ])
    return (await examine(readInstallation(env), say)) ? 0 : 1
  },
}
