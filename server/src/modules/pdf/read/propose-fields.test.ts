/** Proposals come from real files, read by the child. */
import { PDF } from '@libpdf/core'
import { describe, expect, it } from 'vitest'
import { formPdf, plainPdf } from '#test/harness/pdfs.ts'
import { startSealDesk } from '#test/harness/seals.ts'

const desk = await startSealDesk()
const propose = async (file: Buffer, people: readonly string[] = []) =>
  desk.work.propose(await desk.stage(file), 'tests', { people, formFields: [] })
/** A line may have two columns. */
const written = async (lines: readonly (string | readonly string[])[], rotate: 0 | 90 = 0): Promise<Buffer> => {
  const pdf = PDF.create()
  const page = pdf.addPage({ width: 400, height: 600, rotate })
  for (const [index, line] of lines.entries())
    for (const [column, text] of [line].flat().entries())
      page.drawText(text, { x: 40 + column * 200, y: 540 - index * 40, size: 12 })
  return Buffer.from(await pdf.save())
}

describe('proposed fields', () => {
  it('lie on blanks, and mean what the label before them says', async () => {
    const found = await propose(
      await written(['Name: ____________', 'Datum: ________', 'Initials ____', 'Other: ______']),
    )
    expect(found.map(({ type, label }) => [type, label])).toEqual([
      ['NAME', 'Name'],
      ['DATE', 'Datum'],
      ['INITIALS', 'Initials'],
      ['TEXT', 'Other'],
    ])
    expect(found[0]).toMatchObject({ page: 1, source: 'text' })
    // The blank begins after "Name: " at 40 points of 400, on a base line 60 points below the top of 600.
    expect(found[0]?.x).toBeGreaterThan(0.17)
    expect(found[0]?.x).toBeLessThan(0.25)
    expect((found[0]?.y ?? 0) + (found[0]?.height ?? 0)).toBeCloseTo(0.1, 1)
  })

  it('take their meaning from a label below the line, and leave room to sign', async () => {
    const [signature] = await propose(await written(['____________________', 'Unterschrift']))
    expect(signature).toMatchObject({ type: 'SIGNATURE', label: 'Unterschrift' })
    expect(signature?.height).toBeGreaterThan(0.03)
  })

  it('follow a label with nothing after it, but not the end of a sentence', async () => {
    const found = await propose(
      await written(['Signature:', 'The parties agree to the following:', 'Signed in two copies.']),
    )
    expect(found.map(({ type }) => type)).toEqual(['SIGNATURE'])
  })

  it('are where they are seen on a page that is turned', async () => {
    const [found] = await propose(await written(['Name: ____________'], 90))
    // Upright text on a page that is turned runs downwards at the right of the middle.
    expect(found?.height).toBeGreaterThan(found?.width ?? 1)
  })

  it('are those of a form where there is one', async () => {
    expect(await propose(await formPdf())).toMatchObject([
      { page: 1, type: 'TEXT', label: 'answer1', source: 'form' },
      { page: 2, type: 'TEXT', label: 'answer2', source: 'form' },
    ])
    expect(await propose(await plainPdf())).toEqual([])
  })

  const parties = async (lines: readonly (string | readonly string[])[], people?: readonly string[]) =>
    (await propose(await written(lines), people)).map(({ type, party }) => [type, party])

  it('say whose they are: the party of the closest heading above, in each column', async () => {
    expect(
      await parties([
        'The Supplier delivers to the Customer.',
        'Place: ________',
        'Supplier',
        'Signature: ________',
        'Date: ________',
        'For the Customer:',
        'Signature: ________',
      ]),
    ).toEqual([
      ['TEXT', undefined],
      ['SIGNATURE', 'Supplier'],
      ['DATE', 'Supplier'],
      ['SIGNATURE', 'Customer'],
    ])
    expect(
      await parties([
        ['Auftraggeber', 'Auftragnehmerin'],
        ['Unterschrift: ______', 'Unterschrift: ______'],
        ['Datum:', 'Datum:'],
      ]),
    ).toEqual([
      ['SIGNATURE', 'Auftraggeber'],
      ['SIGNATURE', 'Auftragnehmer'],
      ['DATE', 'Auftraggeber'],
      ['DATE', 'Auftragnehmer'],
    ])
  })

  it('belong to the party or the recipient that their own label names', async () => {
    expect(await parties(['Signature of the Tenant: ________', 'Landlord', 'Tenant date: ________'])).toEqual([
      ['SIGNATURE', 'Tenant'],
      ['DATE', 'Tenant'],
    ])
    expect(
      await parties(
        [
          ['______________', '______________'],
          ['Ana Pereira', 'Ben Okafor, date'],
        ],
        ['Ana Pereira', 'Ben Okafor'],
      ),
    ).toEqual([
      ['SIGNATURE', 'Ana Pereira'],
      ['DATE', 'Ben Okafor'],
    ])
  })

  it('are nobody’s where a text names two parties, or a sentence names one', async () => {
    expect(
      await parties(['Supplier and Customer', 'Signature: ________', 'delivered to the Customer.', 'Date: ________']),
    ).toEqual([
      ['SIGNATURE', undefined],
      ['DATE', undefined],
    ])
  })
})
