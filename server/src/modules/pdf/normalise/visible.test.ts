/** What a viewer shows when it opens an upload is in the rebuilt file, and what it doesn't show is nowhere in it. */
import { describe, expect, it } from 'vitest'
import { type Part, streamText } from '#test/harness/pdf-revisions.ts'
import { onePage, rawPdf, say } from '#test/harness/raw-pdf.ts'
import { startPoppler } from '#test/peers/poppler.ts'
import { unpack } from '../strict/filters.ts'
import { openStrict } from '../strict/strict-file.ts'
import { normalise } from './normalise.ts'

const poppler = startPoppler()

/** Everything that a file holds, unpacked. */
const allOf = (file: Buffer): string => {
  const { numbers, get, resolve } = openStrict(file)
  return numbers()
    .map((number) => {
      const value = get(number)
      if (value?.kind !== 'stream') return JSON.stringify(value)
      return unpack(value, resolve).toString('latin1')
    })
    .join('\n')
}

const layered = (config: string, content: string, more: readonly Part[] = []): Buffer =>
  rawPdf(
    onePage({
      content,
      catalog: `/OCProperties << /OCGs [10 0 R 11 0 R] /D << ${config} >> >>`,
      resources: `/Properties << /A 10 0 R /B 11 0 R /M 12 0 R >> /XObject << /X 13 0 R >>`,
      more: [
        [10, '<< /Type /OCG /Name (A) >>'],
        [11, '<< /Type /OCG /Name (B) >>'],
        [12, '<< /Type /OCMD /OCGs [10 0 R 11 0 R] /P /AllOn >>'],
        [
          13,
          streamText(
            '/Subtype /Form /BBox [0 0 200 200] /OC 11 0 R /Resources << /Font << /F1 5 0 R >> >>',
            say('Drawn', 10, 150),
          ),
        ],
        ...more,
      ],
    }),
  )

const inLayer = (name: string, text: string, y: number): string => `/OC /${name} BDC ${say(text, 10, y)} EMC `

describe('a layer', () => {
  const content = `${inLayer('A', 'First', 20)}${inLayer('B', 'Second', 60)}${inLayer('M', 'Both', 100)}/X Do`
  it.each([
    ['/BaseState /ON', ['First', 'Second', 'Both', 'Drawn']],
    ['/OFF [11 0 R]', ['First']],
    ['/BaseState /OFF /ON [11 0 R]', ['Second', 'Drawn']],
    ['/BaseState /OFF', []],
  ])('is there as %s has it', async (config, words) => {
    const file = layered(config, content)
    const { bytes, removed } = await normalise(file)
    expect(poppler.text(bytes).trim().split(/\s+/).filter(Boolean).sort()).toEqual([...words].sort())
    expect(poppler.pages(bytes).equals(poppler.pages(file))).toBe(true)
    for (const word of ['First', 'Second', 'Both', 'Drawn'])
      expect(allOf(bytes).includes(`(${word})`), word).toBe((words as string[]).includes(word))
    expect(removed.map(({ kind }) => kind)).toEqual(words.length === 4 ? [] : ['hidden_layers'])
  })

  it('that is hidden leaves the state of what follows as it was', async () => {
    const file = layered(
      '/OFF [10 0 R]',
      `/OC /A BDC /S BMC 0.5 g 2 0 0 2 0 0 cm 0 0 50 50 re W f EMC EMC 10 10 80 80 re f`,
    )
    expect(poppler.pages((await normalise(file)).bytes).equals(poppler.pages(file))).toBe(true)
  })

  it.each([
    ['text goes on after it', '/OFF [10 0 R]', 'BT /F1 9 Tf /OC /A BDC (a) Tj EMC (b) Tj ET'],
    [
      'viewers set it by themselves',
      '/AS [<< /Event /View /OCGs [14 0 R] /Category [/Zoom] >>]',
      inLayer('Z', 'Zoom', 20),
    ],
    ['it is both on and off', '/ON [10 0 R] /OFF [10 0 R]', inLayer('A', 'First', 20)],
  ])('is refused where %s', async (_why, config, drawn) => {
    const zoom: Part = [14, '<< /Type /OCG /Name (Z) /Usage << /Zoom << /min 2 >> >> >>']
    const file = layered(config, drawn, [zoom]).toString('latin1').replace('/Properties <<', '/Properties << /Z 14 0 R')
    await expect(normalise(Buffer.from(file, 'latin1'))).rejects.toMatchObject({ name: 'Error' })
  })
})

const annotated = (annotations: readonly string[], more: readonly Part[] = [], catalog = ''): Buffer =>
  rawPdf(
    onePage({
      page: `/Annots [${annotations.map((_, index) => `${20 + index} 0 R`).join(' ')}]`,
      catalog,
      more: [
        [
          10,
          streamText('/Subtype /Form /BBox [0 0 100 20] /Resources << /Font << /F1 5 0 R >> >>', say('Noted', 5, 5)),
        ],
        [
          11,
          streamText(
            '/Subtype /Form /BBox [0 0 100 20] /Matrix [0 1 -1 0 0 0]',
            '1 0 0 rg 0 0 100 20 re f 0 0 1 rg 0 0 10 10 re f',
          ),
        ],
        ...annotations.map((text, index): Part => [20 + index, `<< /Type /Annot ${text} >>`]),
        ...more,
      ],
    }),
  )

describe('an annotation', () => {
  it('is drawn on the page as it was shown', async () => {
    const file = annotated([
      '/Subtype /FreeText /F 4 /Rect [20 100 120 120] /AP << /N 10 0 R >>',
      '/Subtype /Stamp /F 4 /Rect [10 10 50 90] /AP << /N 11 0 R >>',
    ])
    const { bytes, removed } = await normalise(file)
    expect(poppler.pages(bytes).equals(poppler.pages(file))).toBe(true)
    expect(poppler.text(bytes)).toContain('Noted')
    expect(removed).toEqual([])
  })

  it('that is hidden, or has no look, is nowhere', async () => {
    const file = annotated([
      '/Subtype /FreeText /F 2 /Rect [20 100 120 120] /AP << /N 10 0 R >>',
      '/Subtype /FreeText /F 32 /Rect [20 100 120 120] /AP << /N 10 0 R >>',
      '/Subtype /Square /Rect [20 100 120 120]',
      '/Subtype /Popup /Rect [20 100 120 120] /Contents (Secret)',
    ])
    const { bytes, removed } = await normalise(file)
    expect(allOf(bytes)).not.toMatch(/Noted|Secret/)
    expect(removed).toEqual([
      { kind: 'comments', count: 1, pages: [1] },
      { kind: 'hidden_annotations', count: 2, pages: [1] },
      { kind: 'annotations_without_look', count: 1, pages: [1] },
    ])
  })
})

describe('a field', () => {
  const form = '/AcroForm << /Fields [20 0 R] /DA (/F1 12 Tf 0 g) /DR << /Font << /F1 5 0 R >> >> >>'
  it('with a value and no look gets one', async () => {
    const file = annotated(
      ['/Subtype /Widget /FT /Tx /T (a) /V (Typed) /F 4 /Rect [20 100 120 120] /DA (/F1 12 Tf 0 g)'],
      [],
      form,
    )
    const { bytes, facts } = await normalise(file)
    expect(poppler.text(bytes)).toContain('Typed')
    expect(facts.formFields).toMatchObject([{ name: 'a', page: 1, type: 'text' }])
  })

  it('shows the state that it is in', async () => {
    const states = '/AP << /N << /Yes 10 0 R /Off 11 0 R >> >>'
    const box = (state: string): Buffer =>
      annotated(
        [`/Subtype /Widget /FT /Btn /T (a) /AS /${state} /V /${state} /F 4 /Rect [20 100 120 120] ${states}`],
        [],
        form,
      )
    for (const state of ['Yes', 'Off']) {
      const { bytes } = await normalise(box(state))
      expect(poppler.pages(bytes).equals(poppler.pages(box(state)))).toBe(true)
      expect(allOf(bytes).includes('(Noted)')).toBe(state === 'Yes')
    }
  })
})

describe('a picture among the instructions', () => {
  it.each([
    ['plain', 'BI /W 2 /H 2 /BPC 8 /CS /G ID \x00 EI EI'],
    ['hexadecimal', 'BI /W 2 /H 2 /BPC 8 /CS /G /F /AHx ID 00 40 80 C0> EI'],
    ['a mask', 'BI /W 8 /H 2 /IM true ID \xaaU EI'],
    ['of a named colour space', 'BI /W 1 /H 1 /BPC 8 /CS /Own ID \xff\x00\x00 EI'],
  ])('that is %s becomes one of its own', async (_what, picture) => {
    const file = rawPdf(
      onePage({
        content: `q 100 0 0 100 10 10 cm ${picture} Q ${say('After', 10, 150)}`,
        resources: '/ColorSpace << /Own [/CalRGB << /WhitePoint [0.95 1 1.09] >>] >>',
      }),
    )
    const { bytes } = await normalise(file)
    expect(allOf(bytes)).not.toMatch(/\bBI\b/)
    expect(poppler.text(bytes).trim()).toBe('After')
    expect(poppler.pages(bytes).equals(poppler.pages(file))).toBe(true)
  })
})
