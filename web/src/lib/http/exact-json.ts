/**
 * JSON whose integers keep their digits. An integer that a number can't hold is read as a bigint, and a bigint is written
 * as the number it is, so that a long order number in a workflow survives the editor. Browsers that can't tell the digits
 * (before Chrome 114, Firefox 135, Safari 18.4) round them, as JSON.parse does.
 */
interface Source {
  source?: string
}

const longNumber = /\d{16}/
const integer = /^-?\d{16,4300}$/

const keepDigits = (_key: string, value: unknown, { source = '' }: Source = {}): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && integer.test(source) ? BigInt(source) : value

export const parseJson = (text: string): unknown => JSON.parse(text, longNumber.test(text) ? keepDigits : undefined)

const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown }

Object.defineProperty(BigInt.prototype, 'toJSON', {
  configurable: true,
  value: function toJSON(this: bigint): unknown {
    return rawJSON ? rawJSON(String(this)) : Number(this)
  },
})
