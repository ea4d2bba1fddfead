/** Pure. What a site's robots.txt asks of us (RFC 9309). */

export interface RobotRules {
  /** `path` with its query. */
  allows(path: string): boolean
  /** How long to wait between two pages. */
  delayMs: number
}

interface Rule {
  pattern: string
  isAllowed: boolean
}

interface Group {
  agents: string[]
  rules: Rule[]
  delaySec: number
}

const maxLines = 20_000
const maxPatternLength = 1000
const maxDelaySec = 10

export const everythingAllowed: RobotRules = { allows: () => true, delayMs: 0 }
export const nothingAllowed: RobotRules = { allows: () => false, delayMs: 0 }

/** Groups that name us count; without any, those for everybody. The longest pattern decides, and allowing wins a tie. */
export const parseRobots = (text: string, agent: string): RobotRules => {
  const groups = readGroups(text)
  const naming = (name: string) => groups.filter(({ agents }) => agents.includes(name))
  const own = naming(agent.toLowerCase())
  const chosen = own.length > 0 ? own : naming('*')
  const rules = chosen.flatMap((group) => group.rules)
  return {
    allows: (path) => {
      const matching = rules.filter(({ pattern }) => matches(pattern, path))
      const longest = Math.max(...matching.map(({ pattern }) => pattern.length))
      const decisive = matching.filter(({ pattern }) => pattern.length === longest)
      return decisive.length === 0 || decisive.some(({ isAllowed }) => isAllowed)
    },
    delayMs: Math.min(maxDelaySec, Math.max(0, ...chosen.map(({ delaySec }) => delaySec))) * 1000,
  }
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
      groups.at(-1)?.agents.push(value.toLowerCase())
    } else if (name !== '') addRule(groups.at(-1), name, value)
    if (name !== '') isNaming = name === 'user-agent'
  }
  return groups
}

const addRule = (group: Group | undefined, name: string, value: string): void => {
  if (name === 'crawl-delay' && group) group.delaySec = Math.max(0, Number.parseFloat(value) || 0)
  // An empty pattern matches nothing.
  if ((name === 'allow' || name === 'disallow') && value !== '' && value.length <= maxPatternLength)
    group?.rules.push({ pattern: value, isAllowed: name === 'allow' })
}

/** `*` is any text, `$` at the end is the end of the path. Without a regular expression, so that no pattern is slow. */
const matches = (pattern: string, path: string): boolean => {
  const isWhole = pattern.endsWith('$')
  const [first = '', ...pieces] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  const last = isWhole ? pieces.pop() : undefined
  let at = first.length
  for (const piece of pieces) {
    const found = path.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  if (!isWhole) return true
  return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last)
}
