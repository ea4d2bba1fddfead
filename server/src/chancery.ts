/** The command line: `chancery COMMAND`, also as `npm run admin -- COMMAND`. Commands for people are in `client/cli`. */
import { prepareProcess } from '#kernel/process/prepare-process.ts'
import { isForPeople } from '../../client/cli/areas.ts'

const args = process.argv.slice(2)

/** Those need nothing of the server but its address. */
const runForPeople = async () => void (await import('../../client/cli/main.ts'))

const runForOperators = async () => {
  prepareProcess()
  const [{ runCommand }, { commands }, { endProcess }] = await Promise.all([
    import('./commands/run-command.ts'),
    import('./commands/table.ts'),
    import('./commands/end-process.ts'),
  ])
  process.exitCode = await runCommand(args, {
    commands,
    env: process.env,
    say: (line) => void process.stdout.write(`${line}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
  })
  // A server that was started runs on.
  if (args[0] !== 'start') await endProcess()
}

await (isForPeople(args) ? runForPeople() : runForOperators())
