/** JSON for people to read and to compare: what fits into a line is one line. */
const width = 120

export const writeJson = (value: unknown, indent = ''): string => {
  const line = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || indent.length + line.length <= width) return line
  const deeper = `${indent} `
  const parts = Array.isArray(value)
    ? value.map((item) => writeJson(item, deeper))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([name, item]) => `${JSON.stringify(name)}: ${writeJson(item, deeper)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${deeper}${parts.join(`,\n${deeper}`)}\n${indent}${close}`
}
