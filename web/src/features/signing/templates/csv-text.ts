/** The text of a CSV file as spreadsheets write it: UTF-8, "Unicode text" (UTF-16), or the Windows code page. Pure. */
import { ApiError } from '#lib/problems/api-error.ts'

const startsWith = (bytes: Uint8Array, start: readonly number[]) => start.every((byte, index) => bytes[index] === byte)

/** Workbooks are archives, or the format of before 2007. */
const workbooks = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
] as const

export function textOfCsv(bytes: Uint8Array<ArrayBuffer>): string {
  if (workbooks.some((start) => startsWith(bytes, start))) {
    const sentence = 'This is a spreadsheet, not a CSV file. Save it as CSV in the program that made it.'
    throw new ApiError({ status: 0, code: 'invalid_csv', sentence })
  }
  if (startsWith(bytes, [0xff, 0xfe])) return new TextDecoder('utf-16le').decode(bytes)
  if (startsWith(bytes, [0xfe, 0xff])) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
