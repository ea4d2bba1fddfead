/**
 * Ends the process of a command that is done, once what it printed has reached its reader. Otherwise a connection that
 * it gave up, to a server that says nothing, would hold it up.
 */
export const endProcess = async (): Promise<never> => {
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((resolve) => stream.write('', () => resolve()))
  process.exit()
}
