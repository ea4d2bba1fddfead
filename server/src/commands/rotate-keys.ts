import type { Command } from './command.ts'

export const rotateKeys: Command = {
  name: 'rotate-keys',
  arguments: [],
  options: { new: { type: 'boolean' } },
  sentence: 'Encrypts everything again with the current SVC_SECRET_KEY, so that its former values can end.',
  details: `Where the key is generated (secrets.json): stop the server, run rotate-keys --new, start the server.
Where SVC_SECRET_KEY is set: set a new one, put the old one into SVC_SECRET_KEYS_PREVIOUS, restart all servers, run
rotate-keys beside them, then remove SVC_SECRET_KEYS_PREVIOUS. It may be interrupted and run again at any time.`,
  run: async ({ env, options, say, note }) => {
    const { rotateKeys: rotate } = await import('./rotate-keys/rotate-keys.ts')
    await rotate({ env, isNew: options.new === true, say, note })
    return undefined
  },
}
