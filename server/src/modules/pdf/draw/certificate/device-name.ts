/** Pure. A browser's long description of itself, as a person would say it; undefined where it isn't known. */

const browsers: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[.\d]* (?:Mobile\/\w+ )?Safari/],
]
const systems: readonly (readonly [string, RegExp])[] = [
  ['Windows', /Windows NT/],
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
]

/** Longer ones are nobody's. */
const longest = 400

export const deviceName = (description: string): string | undefined => {
  const userAgent = description.slice(0, longest)
  const browser = browsers.flatMap(([name, version]) => {
    const found = version.exec(userAgent)
    return found ? `${name} ${found[1]}` : []
  })[0]
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const parts = [browser, system].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : parts.join(', ')
}
