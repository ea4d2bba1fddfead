import { deflateSync } from 'node:zlib'
import type { Client } from '../../../server/test/harness/client.ts'
import { documentsPath, sendForm } from '../../../server/test/harness/signing.ts'
import { flood, type Road } from './road.ts'

/** Pages whose content draws for seconds, though it packs well. */
const heavyPdf = (): Buffer => {
  const draws = deflateSync(Buffer.from('0 0 m 595 842 l 300 10 200 40 100 9 c S '.repeat(400_000)))
  const content = `<< /Length ${draws.length} /Filter /FlateDecode >>\nstream\n`
  const pages = 4
  const kids = Array.from({ length: pages }, (_, index) => `${index + 4} 0 R`).join(' ')
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << >> /Contents 3 0 R >>'
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`),
    Buffer.concat([Buffer.from(content), draws, Buffer.from('\nendstream')]),
    ...Array.from({ length: pages }, () => Buffer.from(page)),
  ]
  const parts = [Buffer.from('%PDF-1.7\n')]
  let length = parts[0]?.length ?? 0
  const offsets = objects.map((object, index) => {
    const offset = length
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    parts.push(whole)
    length += whole.length
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(table + trailer)])
}

const uploadFile = (who: Client, name: string, bytes: Buffer) =>
  sendForm(who, '/api/v1/files/?process=true', { files: [{ name, bytes }] })

export const files: Road = {
  name: 'files',
  rows: '19',
  what: 'PDFs that draw for seconds as documents and as files, and texts of 60,000 spaces, from three accounts',
  victims: ['upload', 'seal'],
  prepare: async ({ newAttacker }) => {
    const three = [await newAttacker(), await newAttacker(), await newAttacker()]
    const pdf = heavyPdf()
    const spaces = Buffer.from(`a${' '.repeat(60_000)}b\n`.repeat(20))
    const attacks = [
      (who: Client) => sendForm(who, documentsPath, { title: 'Heavy', files: [{ name: 'heavy.pdf', bytes: pdf }] }),
      (who: Client) => uploadFile(who, 'heavy.pdf', pdf),
      (who: Client) => uploadFile(who, 'spaces.txt', spaces),
    ]
    return {
      run: async (signal) => {
        const each = three.flatMap((who) => attacks.map((attack) => flood(signal, 1, () => attack(who))))
        await Promise.all(each)
      },
    }
  },
}
