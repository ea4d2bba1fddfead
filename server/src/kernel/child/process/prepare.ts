/** Writes the code of a worker for its children. Arguments: the file to write, the program of every child, the script. */
import { writeProgram } from '../prepared-code.ts'

const [, , file = '', main = '', script = ''] = process.argv
await writeProgram(file, main, script)
