/** What a suite prints while it runs. */
const startedMs = performance.now()

export const say = (text: string): void =>
  void process.stdout.write(`${((performance.now() - startedMs) / 1000).toFixed(1).padStart(6)} s  ${text}\n`)

/** Whether nothing was found that breaks a promise. */
export const report = (found: ReadonlyMap<string, readonly unknown[]>): boolean => {
  for (const [breach, what] of found)
    process.stdout.write(
      what.length === 0
        ? `  kept    no ${breach}\n`
        : `  BROKEN  ${breach}: ${what.length}, such as ${JSON.stringify(what.slice(0, 3))}\n`,
    )
  return [...found.values()].every(({ length }) => length === 0)
}
