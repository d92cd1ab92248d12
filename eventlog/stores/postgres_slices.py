"""The tables of limits that processes share on PostgreSQL, and the functions that grant of them.

Each function locks what it grants of, so that all who ask go one after another; states what is held
whole, never what is added to it, so that to ask twice is to ask once; and goes by this server's clock.
"""

from __future__ import annotations

TABLES = """
-- Of a limit (its scope): what each world has used, as its log has it, and what is set aside for it.
CREATE TABLE whoknew.slices(
    scope text COLLATE "C",
    world text COLLATE "C",
    calls bigint NOT NULL,
    tokens bigint NOT NULL,
    money bigint NOT NULL,  -- in billionths
    aside_calls bigint NOT NULL DEFAULT 0,
    aside_tokens bigint NOT NULL DEFAULT 0,
    aside_money bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (scope, world)
) WITH (fillfactor = 50);

-- Of each world that is asked about: what it has used, and is under way, replaces what stood there,
-- where its lease is the asker's. What it needs for its next call is set aside with it: so many times
-- as others can do without, once where it still fits, not at all where it does not. Who holds no lease
-- (no epoch) can only say that more is used than was known.
CREATE FUNCTION whoknew.slice(
    of_scope text, asked jsonb, most_calls bigint, most_tokens bigint, most_money bigint
) RETURNS TABLE(
    of_world text, times integer, used_calls bigint, used_tokens bigint, used_money bigint,
    under_way boolean
) LANGUAGE plpgsql AS $$
DECLARE
    one record;
    sums record;
    ahead CONSTANT integer := 8;
    spare CONSTANT integer := 64;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('whoknew slices ' || of_scope, 0));
    FOR one IN
        SELECT * FROM jsonb_to_recordset(asked) AS given(
            world text, epoch bigint, calls bigint, tokens bigint, money bigint,
            under_calls bigint, under_tokens bigint, under_money bigint,
            need_calls bigint, need_tokens bigint, need_money bigint
        ) ORDER BY world
    LOOP
        of_world := one.world;
        IF one.epoch IS NULL THEN
            INSERT INTO whoknew.slices AS slice(scope, world, calls, tokens, money)
            VALUES (of_scope, one.world, one.calls, one.tokens, one.money)
            ON CONFLICT (scope, world) DO UPDATE SET
                calls = greatest(slice.calls, one.calls),
                tokens = greatest(slice.tokens, one.tokens),
                money = greatest(slice.money, one.money);
            CONTINUE;
        END IF;
        PERFORM FROM whoknew.leases
        WHERE leases.world = one.world AND epoch = one.epoch FOR SHARE;
        CONTINUE WHEN NOT FOUND;  -- it is another's by now: nothing is said of it
        INSERT INTO whoknew.slices AS slice VALUES (
            of_scope, one.world, one.calls, one.tokens, one.money,
            one.under_calls, one.under_tokens, one.under_money
        ) ON CONFLICT (scope, world) DO UPDATE SET
            calls = one.calls, tokens = one.tokens, money = one.money,
            aside_calls = one.under_calls, aside_tokens = one.under_tokens,
            aside_money = one.under_money;
        times := 0;
        IF one.need_calls > 0 THEN
            SELECT sum(calls + aside_calls) AS calls, sum(tokens + aside_tokens) AS tokens,
                sum(money + aside_money) AS money
            INTO sums FROM whoknew.slices WHERE scope = of_scope;
            times := least(
                whoknew.fits(one.need_calls, most_calls - sums.calls, ahead, spare),
                whoknew.fits(one.need_tokens, most_tokens - sums.tokens, ahead, spare),
                whoknew.fits(one.need_money, most_money - sums.money, ahead, spare)
            );
            UPDATE whoknew.slices SET
                aside_calls = one.under_calls + times * one.need_calls,
                aside_tokens = one.under_tokens + times * one.need_tokens,
                aside_money = one.under_money + times * one.need_money
            WHERE scope = of_scope AND world = one.world;
        END IF;
        RETURN NEXT;
    END LOOP;
    SELECT NULL, 0, sum(calls), sum(tokens), sum(money), coalesce(bool_or(
        aside_calls > 0 AND EXISTS (
            SELECT FROM whoknew.leases
            WHERE leases.world = slices.world AND runs_out > clock_timestamp()
        )), false)
    INTO of_world, times, used_calls, used_tokens, used_money, under_way
    FROM whoknew.slices WHERE scope = of_scope;
    RETURN NEXT;
END $$;

-- How many times a need fits into what is left, of which others may want some, too.
CREATE FUNCTION whoknew.fits(need bigint, rest numeric, ahead integer, spare integer)
RETURNS integer LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN rest IS NULL OR need * ahead * spare <= rest THEN ahead
        WHEN need <= rest THEN 1
        ELSE 0
    END
$$;

-- What a model may be asked a minute: it fills at a steady rate, by this server's clock, up to a
-- twentieth of a minute's worth.
CREATE TABLE whoknew.rates(
    name text COLLATE "C" PRIMARY KEY,
    level float8 NOT NULL,
    at timestamptz NOT NULL
) WITH (fillfactor = 50);

CREATE FUNCTION whoknew.draw(of_name text, per_minute float8, wanted float8)
RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    held record;
    full_at CONSTANT float8 := greatest(per_minute / 20, 1);
    given float8;
BEGIN
    INSERT INTO whoknew.rates VALUES (of_name, full_at, clock_timestamp())
    ON CONFLICT DO NOTHING;
    SELECT * INTO held FROM whoknew.rates WHERE name = of_name FOR UPDATE;
    held.level := least(full_at, held.level + per_minute / 60
        * greatest(0, extract(epoch FROM clock_timestamp() - held.at)::float8));
    given := least(wanted, greatest(0, held.level));  -- less than nothing is given back
    UPDATE whoknew.rates SET level = least(full_at, held.level - given), at = clock_timestamp()
    WHERE name = of_name;
    RETURN given;
END $$;

-- Of the calls that a model may answer at a time, how many each process may make, until when.
CREATE TABLE whoknew.seats(
    name text COLLATE "C",
    holder text COLLATE "C",
    seats integer NOT NULL,
    wanted integer NOT NULL,
    runs_out timestamptz NOT NULL,
    PRIMARY KEY (name, holder)
) WITH (fillfactor = 50);

-- So many seats as are wanted and free, never fewer than are taken; where others wait for some, no more
-- than a share of them. Who leaves a seat of fewer than there are processes lets others come first.
CREATE FUNCTION whoknew.seat(
    of_name text, of_holder text, most integer, taken integer, want integer, leaving boolean,
    lasts interval, OUT held integer, OUT others_wait boolean
) LANGUAGE plpgsql AS $$
DECLARE
    elsewhere bigint;
    others bigint;
    share bigint := most;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('whoknew seats ' || of_name, 0));
    SELECT coalesce(sum(seats), 0), count(*), coalesce(bool_or(wanted > seats), false)
    INTO elsewhere, others, others_wait FROM whoknew.seats
    WHERE name = of_name AND holder <> of_holder AND runs_out > clock_timestamp();
    IF others_wait THEN
        share := greatest(most / (others + 1), CASE WHEN leaving THEN 0 ELSE 1 END);
    END IF;
    held := greatest(taken, least(want, most - elsewhere, share));
    IF want = 0 THEN
        DELETE FROM whoknew.seats WHERE name = of_name AND holder = of_holder;
    ELSE
        INSERT INTO whoknew.seats
        VALUES (of_name, of_holder, held, want, clock_timestamp() + lasts)
        ON CONFLICT (name, holder) DO UPDATE
        SET seats = held, wanted = want, runs_out = clock_timestamp() + lasts;
    END IF;
END $$;
"""

SLICE = "SELECT * FROM whoknew.slice($1, $2::jsonb, $3, $4, $5)"

DRAW = "SELECT whoknew.draw($1, $2, $3)"

SEAT = "SELECT held, others_wait FROM whoknew.seat($1, $2, $3, $4, $5, $6, $7)"
