import { describe, expect, it } from 'vitest'
import { compose } from './compose.ts'
import { ownWords, words } from './words.ts'

const letter = {
  title: words`Reset your password`,
  paragraphs: [words`Hello Ana,`, words`somebody asked for a new password.`],
  action: { label: 'Choose a password', url: 'https://office.example/reset?token=a&b=c' },
  code: '123456',
  footer: words`If it was not you, do nothing.`,
}

describe('a composed mail', () => {
  it('says the same in text and in HTML', () => {
    const { text, html } = compose(letter)

    for (const part of ['Reset your password', 'Hello Ana,', 'Choose a password', '123456', 'do nothing']) {
      expect(text).toContain(part)
      expect(html).toContain(part)
    }
    expect(text).toContain('https://office.example/reset?token=a&b=c')
    expect(html).toContain('href="https://office.example/reset?token=a&amp;b=c"')
  })

  it('escapes whatever people have typed', () => {
    const nasty = `<img src=x onerror="alert('x')">&`
    const { html } = compose({
      title: ownWords(nasty),
      paragraphs: [ownWords(nasty)],
      code: nasty,
      footer: ownWords(nasty),
      action: { label: nasty, url: `https://office.example/?"><script>alert(1)</script>` },
    })

    expect(html).not.toContain('<img')
    expect(html).not.toContain('<script')
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;x&#39;)&quot;&gt;&amp;')
  })

  it('links to web addresses only', () => {
    const withUrl = (url: string) => () => compose({ title: words`x`, paragraphs: [], action: { label: 'x', url } })

    expect(withUrl('javascript:alert(1)')).toThrow()
    expect(withUrl('data:text/html,x')).toThrow()
    expect(withUrl('/relative')).toThrow()
  })

  it('leaves out what is not there', () => {
    const { text, html } = compose({ title: words`Hello`, paragraphs: [] })

    expect(text).toBe('Hello\n')
    expect(html).not.toContain('href')
    expect(html).not.toContain('undefined')
  })
})
