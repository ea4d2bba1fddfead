import type { Command } from './command.ts'

export const start: Command = {
  name: 'start',
  arguments: [],
  sentence: 'Runs the server until it is stopped.',
  details: 'The same as npm start, without installing or building anything.',
  run: async ({ env }) => {
    const { run } = await import('../run.ts')
    await run(env)
    return undefined
  },
}
