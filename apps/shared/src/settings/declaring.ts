import { Transform } from 'class-transformer';
import { IsIn, IsInt, Max, Min, ValidateBy } from 'class-validator';

const number = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value,
);

/** A whole number with both ends included, with one message for all errors. */
export function Whole(name: string, min: number, max: number): PropertyDecorator {
  const message = `${name} must be a whole number from ${min} to ${max}.`;
  return (target, property) => {
    for (const decorate of [number, IsInt({ message }), Min(min, { message }), Max(max, { message })]) {
      decorate(target, property);
    }
  };
}

/** `on` or `off`. */
export const Switch = (name: string): PropertyDecorator =>
  IsIn(['on', 'off'], { message: `${name} must be "on" or "off".` });

/** A URL with a valid port, if any. @param form further requirements */
export function Address(form: RegExp, message: string): PropertyDecorator {
  const isAddress = (value: unknown) =>
    typeof value === 'string' && form.test(value) && URL.canParse(value) && new URL(value).port !== '0';
  return ValidateBy({ name: 'isAddress', validator: { validate: isAddress, defaultMessage: () => message } });
}
