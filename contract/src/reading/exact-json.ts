/** JSON whose long integers keep their digits: an integer that a number can't hold is a bigint. */
interface Source {
  source?: string
}

const longNumber = /\d{16}/
const integer = /^-?\d{16,4300}$/

const keepDigits = (_key: string, value: unknown, { source = '' }: Source = {}): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && integer.test(source) ? BigInt(source) : value

export const parseJson = (text: string): unknown => JSON.parse(text, longNumber.test(text) ? keepDigits : undefined)

const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown }

const writeDigits = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? (rawJSON ? rawJSON(String(value)) : Number(value)) : value

export const writeJson = (value: unknown, space?: number): string => JSON.stringify(value, writeDigits, space)
