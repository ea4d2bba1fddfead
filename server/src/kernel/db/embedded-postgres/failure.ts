/** Turns what PostgreSQL's programs printed before they failed into one sentence for the operator. */
import { StartError } from '#kernel/process/start-error.ts'

interface Failure {
  output: string
  dataDir: string
}

const known: [RegExp, (dataDir: string) => string][] = [
  [/No space left on device/, (dir) => `The disk that holds ${dir} is full: make room and start again.`],
  [/Read-only file system/, (dir) => `The disk that holds ${dir} is read-only: PostgreSQL must write there.`],
  [/Permission denied/, (dir) => `PostgreSQL may not use its files below ${dir}: give them to the user it runs as.`],
  [/shared memory|Cannot allocate memory/, () => 'This machine gives PostgreSQL too little memory: free some.'],
]

export const explainFailure = ({ output, dataDir }: Failure): StartError => {
  const match = known.find(([pattern]) => pattern.test(output))
  const sentence = match ? match[1](dataDir) : `PostgreSQL did not start: ${decisiveLine(output)}`
  return new StartError(sentence, { cause: new Error(output.trim()) })
}

/** The last line that names a reason, else the last line. */
const decisiveLine = (output: string): string => {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const line =
    lines.findLast((text) => /FATAL|PANIC/.test(text)) ??
    lines.find((text) => /error/i.test(text)) ??
    lines.at(-1) ??
    'it said nothing'
  return line.replace(/^.*?(?:FATAL|PANIC|error): +/i, '').trim()
}
