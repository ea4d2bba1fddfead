import { signingLanguages } from '@chancery/contract/signing/signing.ts'
import { expect, it } from 'vitest'
import { textsIn } from './languages.ts'

it.each(signingLanguages)('every mail text in %s names all that it is given', (language) => {
  const [english, own] = [textsIn('en'), textsIn(language)]
  for (const [kind, originals] of Object.entries(english)) {
    const texts = own[kind as keyof typeof own]
    if (typeof originals === 'string') expect(texts).toBeTruthy()
    else for (const name of Object.keys(originals)) expectNamed(originals[name as never], texts[name as never])
  }
})

const given = ['<first>', '<second>']

const expectNamed = (original: unknown, text: unknown): void => {
  if (typeof original !== 'function') expect(text).toBeTruthy()
  else for (const value of given.slice(0, original.length)) expect((text as typeof original)(...given)).toContain(value)
}
