/** Pure. A short handle from a company's name: `Müller & Söhne GmbH` → `muller-sohne-gmbh`. */
import { normalized } from '@chancery/contract/normalized.ts'

const longest = 40

export const companyCode = (name: string): string => {
  const plain = normalized(name, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return [...plain].slice(0, longest).join('').replace(/-+$/, '') || 'company'
}
