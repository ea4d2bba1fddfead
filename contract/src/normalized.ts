/**
 * `normalize` in linear time. Unicode sorts the marks on a letter, and ICU does so by insertion: 80,000 marks on one letter
 * take nine seconds, and a body of 1 MB minutes. No script puts 64 marks on a letter: such a run is normalized in pieces.
 */

// The two sound marks of narrow kana are letters, but become marks by compatibility.
const mark = String.raw`[\p{M}\uff9e\uff9f]`
const longRun = new RegExp(`${mark}{64}`, 'u')
const startsAndRuns = new RegExp(`[^\\p{M}\\uff9e\\uff9f]*${mark}{0,64}`, 'gu')

export const normalized = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD' = 'NFC'): string =>
  longRun.test(text) ? text.replace(startsAndRuns, (piece) => piece.normalize(form)) : text.normalize(form)
