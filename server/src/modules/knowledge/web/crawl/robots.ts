/** Pure. What a site's robots.txt asks of us (RFC 9309). */

export interface RobotRules {
  /** `path` with its query. */
  allows(path: string): boolean
  /** The wait between two pages. */
  delayMs: number
  /** Shown to people for a page that isn't allowed. */
  refusal: string
}

interface Rule {
  /** The length of its pattern: the longest that matches decides. */
  length: number
  isAllowed: boolean
  first: string
  /** The texts after each `*`. */
  pieces: readonly string[]
  /** For a pattern that ends with `$`: the text after its last `*`, or null if it has no `*`. */
  last: string | null | undefined
}

interface Group {
  agents: string[]
  rules: Rule[]
  delaySec: number
}

const maxLines = 20_000
const maxPatternLength = 1000
const maxDelaySec = 10
/** About a millisecond. A site can write rules that take minutes for the links of one page. */
const maxSteps = 100_000

const refusal = "The site's robots.txt doesn't allow it."

export const everythingAllowed: RobotRules = { allows: () => true, delayMs: 0, refusal }
export const nothingAllowed = (reason: string): RobotRules => ({ allows: () => false, delayMs: 0, refusal: reason })

/** Groups that name us count; without any, those for everybody. The longest pattern decides, and allowing wins a tie. */
export const parseRobots = (text: string, agent: string): RobotRules => {
  const groups = readGroups(text)
  const naming = (name: string) => groups.filter(({ agents }) => agents.includes(name))
  const own = naming(agent.toLowerCase())
  const chosen = own.length > 0 ? own : naming('*')
  const rules = chosen
    .flatMap((group) => group.rules)
    .toSorted((one, other) => other.length - one.length || Number(other.isAllowed) - Number(one.isAllowed))
  return {
    allows: (path) => isAllowedBy(rules, encoded(path)),
    delayMs: Math.min(maxDelaySec, Math.max(0, ...chosen.map(({ delaySec }) => delaySec))) * 1000,
    refusal,
  }
}

/** The first rule that matches decides. What takes too long to decide isn't allowed. */
const isAllowedBy = (rules: readonly Rule[], path: string): boolean => {
  const work = { left: maxSteps }
  for (const rule of rules) {
    if (matches(rule, path, work)) return rule.isAllowed
    if (work.left < 0) return false
  }
  return true
}

const readGroups = (text: string): Group[] => {
  const groups: Group[] = []
  let isNaming = false
  for (const line of text.split(/\r\n|\r|\n/, maxLines)) {
    const [rule = ''] = line.split('#', 1)
    const colon = rule.indexOf(':')
    const name = rule.slice(0, Math.max(0, colon)).trim().toLowerCase()
    const value = rule.slice(colon + 1).trim()
    if (name === 'user-agent') {
      if (!isNaming) groups.push({ agents: [], rules: [], delaySec: 0 })
      groups.at(-1)?.agents.push(value.toLowerCase().replace(/\/.*/, ''))
    } else if (name !== '') addRule(groups.at(-1), name, value)
    if (name !== '') isNaming = name === 'user-agent'
  }
  return groups
}

const addRule = (group: Group | undefined, name: string, value: string): void => {
  if (name === 'crawl-delay' && group) group.delaySec = Math.max(0, Number.parseFloat(value) || 0)
  // An empty pattern matches nothing.
  if ((name === 'allow' || name === 'disallow') && value !== '' && value.length <= maxPatternLength)
    group?.rules.push(ruleOf(encoded(value), name === 'allow'))
}

/** Characters as they are and characters as `%` and digits in either case are the same (RFC 9309, 2.2.2). */
const encoded = (path: string): string =>
  path
    .replace(/[^\0-\x7f]+/g, (text) => encodeURI(text.toWellFormed()))
    .replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase())

/** `*` is any text, `$` at the end is the end of the path. */
const ruleOf = (pattern: string, isAllowed: boolean): Rule => {
  const isWhole = pattern.endsWith('$')
  const [first = '', ...pieces] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  const last = isWhole ? (pieces.pop() ?? null) : undefined
  return { length: pattern.length, isAllowed, first, pieces, last }
}

/** Without a regular expression, so that no pattern is slow by itself. */
const matches = ({ first, pieces, last }: Rule, path: string, work: { left: number }): boolean => {
  work.left -= 1
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const piece of pieces) {
    const found = path.indexOf(piece, at)
    work.left -= 1 + (found === -1 ? path.length : found) - at
    if (found === -1 || work.left < 0) return false
    at = found + piece.length
  }
  if (last === undefined) return true
  return last === null ? at === path.length : path.length - last.length >= at && path.endsWith(last)
}
