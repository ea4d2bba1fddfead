/**
 * JSON whose integers keep their digits, so that a long order number in a workflow survives the editor. Browsers that can't
 * tell the digits (before Chrome 114, Firefox 135, Safari 18.4) round them, as JSON.parse does.
 */
export { parseJson } from '@chancery/contract/reading/exact-json.ts'

const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown }

Object.defineProperty(BigInt.prototype, 'toJSON', {
  configurable: true,
  value: function toJSON(this: bigint): unknown {
    return rawJSON ? rawJSON(String(this)) : Number(this)
  },
})
