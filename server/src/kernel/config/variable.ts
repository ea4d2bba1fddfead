/** An environment variable: how it reads, what it means, and what to say when it is wrong. */

export interface Variable<Value> {
  /** Shown in the documentation: `integer`, `duration`, … */
  type: string
  /** The value when the variable is unset or blank. */
  fallback: Value
  /** The fallback in words, where its value alone says too little. */
  fallbackText?: string
  /** Never printed, never shown. */
  secret: boolean
  sentence: string
  /** Returns the value, or throws an Error that says what would be right. */
  parse(text: string): Value
}

/** Variables by the section of docs/CONFIGURATION.md in which they stand. */
export type Sections = Readonly<Record<string, Readonly<Record<string, Variable<unknown>>>>>

/** Of all members of a union at once. */
export type Joined<Union> = (Union extends unknown ? (of: Union) => void : never) extends (of: infer All) => void
  ? All
  : never

/** What is read for them. */
export type ValuesOf<Declared extends Sections> = {
  readonly [Name in keyof Joined<Declared[keyof Declared]>]: Joined<Declared[keyof Declared]>[Name] extends Variable<
    infer Value
  >
    ? Value
    : never
}

export interface Facts<Value> {
  fallback: Value
  sentence: string
  fallbackText?: string
  secret?: boolean
}

export const variable = <Value>(
  type: string,
  facts: Facts<Value>,
  parse: (text: string) => Value,
): Variable<Value> => ({
  type,
  secret: false,
  ...facts,
  parse,
})

export const text = <Value extends string | undefined>(facts: Facts<Value>) =>
  variable<string | Value>('text', facts, (given) => given)

/** Text of one form; `problem` says which. */
export const matching = <Value extends string | undefined>(form: RegExp, facts: Facts<Value> & { problem: string }) =>
  variable<string | Value>('text', facts, (given) => {
    if (form.test(given)) return given
    throw new Error(facts.problem)
  })

/** A secret that is generated and kept in the data folder when unset. */
export const secret = (facts: { sentence: string; minLength: number; fallbackText?: string }) =>
  variable<string | undefined>(
    'text',
    { fallbackText: 'made on first start and kept in the data folder', ...facts, fallback: undefined, secret: true },
    (given) => {
      if ([...given].length >= facts.minLength) return given
      throw new Error(`must be at least ${facts.minLength} characters long; it has ${[...given].length}`)
    },
  )

export const integer = (facts: Facts<number> & { min: number; max: number }) =>
  variable('integer', facts, (given) => {
    const value = Number(given)
    if (/^-?\d+$/.test(given) && value >= facts.min && value <= facts.max) return value
    throw new Error(`must be a whole number from ${facts.min} to ${facts.max}`)
  })

export const bool = <Value extends boolean | undefined>(facts: Facts<Value>) =>
  variable<boolean | Value>('true or false', facts, (given) => {
    if (/^(true|1|yes|on)$/i.test(given)) return true
    if (/^(false|0|no|off)$/i.test(given)) return false
    throw new Error('must be true or false')
  })

/** An empty value among them is what a blank variable means, and is not listed. */
export const choice = <const Value extends string>(values: readonly Value[], facts: Facts<NoInfer<Value>>) => {
  const listed = values.filter((value) => value !== '').join(' or ')
  return variable<Value>(listed, facts, (given) => {
    const found = values.find((value) => value === given)
    if (found !== undefined) return found
    throw new Error(`must be ${listed}`)
  })
}

/** The protocols of a web address. */
export const web = ['http:', 'https:'] as const

export const url = <Value extends string | undefined>(facts: Facts<Value> & { protocols: readonly string[] }) =>
  variable<string | Value>('address', facts, (given) => {
    const parsed = URL.canParse(given) ? new URL(given) : undefined
    if (parsed && facts.protocols.includes(parsed.protocol)) return given
    throw new Error(`must be an address that starts with ${facts.protocols.map((name) => `${name}//`).join(' or ')}`)
  })

/** An ISO 4217 code. */
export const currency = (facts: Facts<string>) =>
  variable('currency', facts, (given) => {
    const code = given.toUpperCase()
    if (Intl.supportedValuesOf('currency').includes(code)) return code
    throw new Error('must be the ISO 4217 code of a currency, such as EUR')
  })

interface ListFacts extends Facts<string[]> {
  separator: string
  item?: (text: string) => string
  /** Keeps empty items, where the position in the list says what an item belongs to. */
  keepsEmpty?: boolean
}

/** Items between separators; whitespace around them is ignored. */
export const list = (facts: ListFacts) =>
  variable(`list, separated by "${facts.separator}"`, facts, (given) =>
    given
      .split(facts.separator)
      .map((item) => item.trim())
      .filter((item) => facts.keepsEmpty || item !== '')
      .map(facts.item ?? ((item) => item)),
  )

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** `90s`, `30m`, `4w`, or `-1` for never (null). */
export const duration = (facts: Facts<number | null>) =>
  variable<number | null>('duration', facts, (given) => {
    if (given === '-1') return null
    const [, amount, unit] = /^(\d{1,12})(ms|s|m|h|d|w)$/.exec(given) ?? []
    const value = Number(amount) * (unitMs[unit as keyof typeof unitMs] ?? Number.NaN)
    if (Number.isSafeInteger(value) && value > 0) return value
    throw new Error('must be a number with a unit (ms, s, m, h, d or w), such as 4w, or -1 for never')
  })
