import { converter } from './converter';
import { PREFIX_NAMES, unitByName, unitNames } from './units';

const ask = (text: string) => {
  const answer = converter({ text, author: 'ann@example.com' });
  if (answer.kind !== 'reply') throw new Error('the converter replies');
  return answer.content;
};

describe('the program converter', () => {
  it.each([
    ['12 celsius fahrenheit', '12 celsius = 53.6 fahrenheit'],
    ['-40 F C', '-40 F = -40 C'],
    ['0 k celsius', '0 k = -273.15 celsius'],
    ['0.002 kilomile millimeter', '0.002 kilomile = 3218688 millimeter'],
    ['56 g lb', '56 g = 0.12345887 lb'],
    ['1 mi km', '1 mi = 1.609344 km'],
    ['1 mi^2 acre', '1 mi^2 = 640 acre'],
    ['3 tsp tbsp', '3 tsp = 1 tbsp'],
    ['1 gigabyte megabyte', '1 gigabyte = 1024 megabyte'],
    ['1 kilobyte bit', '1 kilobyte = 8192 bit'],
    ['1 bar psi', '1 bar = 14.503774 psi'],
    ['180 degree radian', '180 degree = 3.1415927 radian'],
    ['1.5e3 second minute', '1.5e3 second = 25 minute'],
    ['0 meter mile', '0 meter = 0 mile'],
    ['  5   km \n meter ', '5 km = 5000 meter'],
  ])('converts %j', (text, answer) => expect(ask(text.trim())).toBe(answer));

  it.each([
    ['', /^I need a number and two units/],
    ['5 km', /^I need a number and two units/],
    ['5 km mile please', /^I need a number and two units/],
    ['five km mile', /^`five` is not a number\./],
    ['0x10 km mile', /^`0x10` is not a number\./],
    ['Infinity km mile', /^`Infinity` is not a number\./],
    ['5 parsec mile', /^I do not know the unit `parsec`\./],
    ['5 constructor mile', /^I do not know the unit `constructor`\./],
    ['5 k`m mile', /^I do not know the unit `km`\./],
    ['5 km liter', /^`km` is a unit of length, and `liter` one of volume\./],
    ['1e999 exameter attometer', /^`1e999` is too large\./],
  ])('says what is wrong with %j', (text, answer) => expect(ask(text)).toMatch(answer));

  it('lists all units and prefixes on request', () => {
    const help = ask('HELP');
    for (const names of unitNames().values()) for (const name of names) expect(help).toContain(name);
    for (const prefix of PREFIX_NAMES) expect(help).toContain(prefix);
  });

  it('knows each unit by each of its names, with each prefix', () => {
    const names = [...unitNames().values()].flat().flatMap((shown) => shown.split(/[(), ]+/).filter(Boolean));
    for (const name of names) {
      expect(unitByName(name)).toBeDefined();
      for (const prefix of PREFIX_NAMES) expect(unitByName(prefix + name)).toBeDefined();
    }
  });
});
