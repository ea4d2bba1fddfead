import { resolve } from 'node:path'
import type { Command } from './command.ts'

export const exportOrganization: Command = {
  name: 'export-organization',
  arguments: ['ID', 'FILE'],
  options: { 'with-passwords': { type: 'boolean' } },
  sentence: 'Saves one organization (by id or code) in a file, for another instance.',
  details: `People, groups, chats, files, knowledge, workflows with versions and ended runs, documents with their evidence, settings
and usage, all of one moment, also while the server runs. Its secrets are sealed with CHANCERY_PASSPHRASE, as in a backup;
everything else in the file can be read. --with-passwords adds the hashes of passwords.`,
  run: async ({ env, given, options, say, note }) => {
    const [{ choosePassphrase }, { saveOrganization }] = await Promise.all([
      import('./passphrase.ts'),
      import('./organization/installation.ts'),
    ])
    const path = resolve(env.INIT_CWD ?? '', given.FILE ?? '')
    const asked = { organization: given.ID ?? '', withPasswords: options['with-passwords'] === true }
    await saveOrganization({ env, path, passphrase: await choosePassphrase(env), say, note }, asked)
    return undefined
  },
}
