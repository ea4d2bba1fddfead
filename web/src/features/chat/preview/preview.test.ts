import { describe, expect, it } from 'vitest'
import { pageOf, previewOf } from './preview.ts'

describe('a preview of code in a reply', () => {
  it('is offered for HTML and SVG, and for nothing else', () => {
    expect(previewOf('<p>Hi</p>', 'HTML')).toMatchObject({ kind: 'html' })
    expect(previewOf('<?xml version="1.0"?>\n<!-- drawn -->\n<svg viewBox="0 0 1 1"/>', 'xml')).toMatchObject({
      kind: 'svg',
    })
    expect(previewOf('<svg></svg>', 'svg')).toMatchObject({ kind: 'svg' })
    expect(previewOf('<note><svg/></note>', 'xml')).toBeUndefined()
    expect(previewOf('const a = 1', 'ts')).toBeUndefined()
    expect(previewOf('<p>Hi</p>', '')).toBeUndefined()
  })

  it('is the code itself; a drawing is centered', () => {
    expect(pageOf({ kind: 'html', code: '<p>Hi</p>' })).toBe('<p>Hi</p>')
    expect(pageOf({ kind: 'svg', code: '<svg/>' })).toMatch(/^<style>.*<svg\/>$/)
  })
})
