/** The command line: `chancery COMMAND`, also as `npm run admin -- COMMAND`. */
import { prepareProcess } from '#kernel/process/prepare-process.ts'

prepareProcess()
const [{ runCommand }, { commands }] = await Promise.all([
  import('./commands/run-command.ts'),
  import('./commands/table.ts'),
])
// Not `exit`: a server that was started runs on, and what was printed has to reach a pipe.
process.exitCode = await runCommand(process.argv.slice(2), {
  commands,
  env: process.env,
  say: (line) => void process.stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
})
