/** The editor's suggestions, read from the types of `@chancery/plugin`, so that there is one list of helpers. Pure. */

export interface Suggestion {
  label: string
  /** Its type. */
  detail: string
  /** Its comment. */
  info: string
}

const words = (text: string) => text.replace(/\s+/g, ' ').trim()

/** The members of an interface: at its own depth, each with the comment above it. */
function membersOf(source: string, name: string): Suggestion[] {
  const start = source.search(new RegExp(`^export interface ${name}\\b`, 'm'))
  const body = start === -1 ? '' : source.slice(start, source.indexOf('\n}', start))
  const member = /^ {2}(?:\/\*\* (.*?) \*\/\s+)?(\w+)\??(\(|: )([\s\S]*?)(?=^ {2}\S|(?![\s\S]))/gm
  return [...body.matchAll(member)].map(([, info = '', label = '', mark = '', type = '']) => ({
    label,
    detail: words(mark === '(' ? `(${type}` : type),
    info,
  }))
}

export interface PluginTypes {
  /** `__user__`, `__event_emitter__` and so on. */
  helpers: Suggestion[]
  /** For `type:` of an event. */
  events: Suggestion[]
  /** For `import type`. */
  names: Suggestion[]
}

export function readTypes(source: string): PluginTypes {
  const union = /export type PluginEvent =([\s\S]*?)\n\n/.exec(source)?.[1] ?? ''
  const asked = [...(/export interface EventCall \{([\s\S]*?)\n\}/.exec(source)?.[1] ?? '').split('\n')]
  const eventsIn = (lines: readonly string[], info: string) =>
    lines.flatMap((line) => {
      const [, types = '', data = ''] =
        /type: ((?:'[\w:]+'(?: \| )?)+); data: (.*?) \}\)?(?:: Promise.*)?$/.exec(line) ?? []
      return [...types.matchAll(/'([\w:]+)'/g)].map(([, label = '']) => ({ label, detail: words(data), info }))
    })
  const events = [...eventsIn(union.split('\n'), ''), ...eventsIn(asked, 'For __event_call__')]
  const names = [...source.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, label = '']) => ({
    label,
    detail: 'type',
    info: '',
  }))
  return {
    helpers: membersOf(source, 'Helpers'),
    events: events.filter(({ label }, index) => events.findIndex((one) => one.label === label) === index),
    names,
  }
}
