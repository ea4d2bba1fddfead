/** `URL` and `URLSearchParams`. Parsing is the worker's; everything else happens in here. */
import { host, parse } from './host.ts'

interface Parts {
  href: string
  protocol: string
  username: string
  password: string
  host: string
  hostname: string
  port: string
  pathname: string
  search: string
  hash: string
  origin: string
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replaceAll('%20', '+')
    .replace(/[!'()~]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

type Init = string | Record<string, string> | Iterable<readonly [string, string]> | undefined

const pairsOf = (init: Init): [string, string][] => {
  if (init === undefined) return []
  if (typeof init === 'object') {
    const pairs = Symbol.iterator in init ? [...init] : Object.entries(init)
    return pairs.map(([name, value]) => [String(name), String(value)])
  }
  const text = String(init).replace(/^\?/, '')
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const cut = pair.indexOf('=')
      return cut < 0 ? [decode(pair), ''] : [decode(pair.slice(0, cut)), decode(pair.slice(cut + 1))]
    })
}

export class Params {
  #pairs: [string, string][]
  #onChange: () => void = () => undefined

  constructor(init?: Init) {
    this.#pairs = pairsOf(init)
  }

  static of(search: string, onChange: () => void): Params {
    const params = new Params(search)
    params.#onChange = onChange
    return params
  }

  get size(): number {
    return this.#pairs.length
  }
  append(name: string, value: string): void {
    this.#pairs.push([String(name), String(value)])
    this.#onChange()
  }
  delete(name: string): void {
    this.#pairs = this.#pairs.filter(([known]) => known !== name)
    this.#onChange()
  }
  get(name: string): string | null {
    return this.#pairs.find(([known]) => known === name)?.[1] ?? null
  }
  getAll(name: string): string[] {
    return this.#pairs.filter(([known]) => known === name).map(([, value]) => value)
  }
  has(name: string): boolean {
    return this.#pairs.some(([known]) => known === name)
  }
  set(name: string, value: string): void {
    const index = this.#pairs.findIndex(([known]) => known === name)
    if (index >= 0) this.#pairs = this.#pairs.filter(([known], at) => known !== name || at === index)
    this.#pairs.splice(index < 0 ? this.#pairs.length : index, 1, [name, String(value)])
    this.#onChange()
  }
  sort(): void {
    this.#pairs.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    this.#onChange()
  }
  forEach(work: (value: string, name: string) => void): void {
    for (const [name, value] of this.#pairs) work(value, name)
  }
  entries(): IterableIterator<[string, string]> {
    return this.#pairs.map(([name, value]): [string, string] => [name, value]).values()
  }
  keys(): IterableIterator<string> {
    return this.#pairs.map(([name]) => name).values()
  }
  values(): IterableIterator<string> {
    return this.#pairs.map(([, value]) => value).values()
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries()
  }
  toString(): string {
    return this.#pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  }
}

const partsOf = (address: string, base: string): Parts | undefined => {
  const text = host().parseUrl(address, base)
  return text === '' ? undefined : parse(text)
}

export class Address {
  #parts: Parts
  readonly searchParams: Params

  constructor(address: string | Address, base?: string | Address) {
    const parts = partsOf(String(address), base === undefined ? '' : String(base))
    if (!parts) throw new TypeError(`Invalid URL: ${String(address).slice(0, 200)}`)
    this.#parts = parts
    this.searchParams = Params.of(parts.search, () => {
      const search = this.searchParams.toString()
      this.#change({ search: search === '' ? '' : `?${search}` })
    })
  }

  static canParse(address: string, base?: string): boolean {
    return partsOf(String(address), base === undefined ? '' : String(base)) !== undefined
  }
  static parse(address: string, base?: string): Address | null {
    return Address.canParse(address, base) ? new Address(address, base) : null
  }

  #change(change: Partial<Parts>): void {
    const { protocol, username, password, host: hostAndPort, pathname, search, hash } = { ...this.#parts, ...change }
    const login = username === '' ? '' : `${username}${password === '' ? '' : `:${password}`}@`
    this.#parts = partsOf(`${protocol}//${login}${hostAndPort}${pathname}${search}${hash}`, '') ?? this.#parts
  }

  get href(): string {
    return this.#parts.href
  }
  get origin(): string {
    return this.#parts.origin
  }
  get protocol(): string {
    return this.#parts.protocol
  }
  get username(): string {
    return this.#parts.username
  }
  get password(): string {
    return this.#parts.password
  }
  get host(): string {
    return this.#parts.host
  }
  get hostname(): string {
    return this.#parts.hostname
  }
  get port(): string {
    return this.#parts.port
  }
  get pathname(): string {
    return this.#parts.pathname
  }
  set pathname(pathname: string) {
    this.#change({ pathname: pathname.startsWith('/') ? pathname : `/${pathname}` })
  }
  get search(): string {
    return this.#parts.search
  }
  get hash(): string {
    return this.#parts.hash
  }
  set hash(hash: string) {
    this.#change({ hash: hash === '' || hash.startsWith('#') ? hash : `#${hash}` })
  }
  toString(): string {
    return this.href
  }
  toJSON(): string {
    return this.href
  }
}
