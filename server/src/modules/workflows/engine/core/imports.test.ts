/** The core decides and does nothing else: it may not reach the database, the network, clocks or files. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const allowed = [
  /^\.\//,
  /^@chancery\/contract\//,
  /^@chancery\/expression$/,
  /^#kernel\/(errors|meter)\.ts$/,
  /^#modules\/workflow-graph\/index\.ts$/,
]

it('imports nothing but other decisions, the contract and the kinds of errors', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => /(?<!\.test)\.ts$/.test(name))
  expect(files.length).toBeGreaterThan(3)
  const imports = files.flatMap((name) => {
    const text = readFileSync(`${import.meta.dirname}/${name}`, 'utf8')
    return [...text.matchAll(/^(?:import|export) .*? from '(.+?)'/gms)].map(([, from = '']) => `${name}: ${from}`)
  })
  const forbidden = imports.filter((one) => !allowed.some((pattern) => pattern.test(one.split(': ')[1] ?? '')))
  expect(forbidden).toEqual([])
})
