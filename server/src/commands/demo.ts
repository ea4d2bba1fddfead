import type { Command } from './command.ts'

export const demo: Command = {
  name: 'demo',
  arguments: [],
  options: { remove: { type: 'boolean' } },
  sentence: 'Fills the instance with a company that looks lived in; --remove takes all of it away.',
  details: `An organization with people, groups, documents in every state, chats with sources, workflows with a month of runs, and
usage. It works beside a running server, needs no model, sends no email, and says how to sign in.`,
  run: async ({ env, options, say, note }) => {
    const { fillInstallation, clearInstallation } = await import('./demo/installation.ts')
    await (options.remove === true ? clearInstallation : fillInstallation)({ env, say, note })
    return undefined
  },
}
