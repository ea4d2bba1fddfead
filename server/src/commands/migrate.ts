import type { Command } from './command.ts'

export const migrate: Command = {
  name: 'migrate',
  arguments: [],
  options: { plan: { type: 'boolean' } },
  sentence: 'Applies the migrations of this release to the database; --plan only lists them.',
  details: 'The server does the same when it starts. The plan needs no stop and changes nothing.',
  run: async ({ env, options, say }) => {
    const [{ withDatabase }, { applyMigrations, describePlan }] = await Promise.all([
      import('./installation.ts'),
      import('./migrations.ts'),
    ])
    const work = options.plan === true ? describePlan : applyMigrations
    for (const line of await withDatabase(env, ({ databaseUrl }) => work(databaseUrl))) say(line)
    return undefined
  },
}
